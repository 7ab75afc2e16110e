import { speak } from '../src/i18n/text'

// uPlot asks for it as it is imported; jsdom has none.
globalThis.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as unknown as typeof matchMedia

await speak('en')
