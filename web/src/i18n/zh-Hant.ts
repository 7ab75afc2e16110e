import { join } from './join'

export default join(import.meta.glob<Record<string, string>>('./*/zh-Hant.json', { eager: true, import: 'default' }))
