import { speak } from '../src/i18n/text'

await speak('en')
