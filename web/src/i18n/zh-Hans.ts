import { join } from './join'

export default join(import.meta.glob<Record<string, string>>('./*/zh-Hans.json', { eager: true, import: 'default' }))
