import { join } from './join'

export default join(import.meta.glob<Record<string, string>>('./*/ja.json', { eager: true, import: 'default' }))
