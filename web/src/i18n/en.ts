import { join } from './join'

export default join(import.meta.glob<Record<string, string>>('./*/en.json', { eager: true, import: 'default' }))
