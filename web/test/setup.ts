import { speak } from '../src/i18n/text'

// uPlot asks for it as it is imported; jsdom has none.
globalThis.matchMedia ??= (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })) as unknown as typeof matchMedia

// React Aria asks it as a dialog opens; jsdom has none.
globalThis.CSS ??= { escape: (s: string) => s.replaceAll(/[^\w-]/g, '\\$&') } as unknown as typeof CSS

await speak('en')
