import { join } from './join'

export default join(import.meta.glob<Record<string, string>>('./*/ko.json', { eager: true, import: 'default' }))
