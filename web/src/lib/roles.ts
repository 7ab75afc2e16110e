// What each role may do: the console's copy of internal/auth/role.go, of use to
// hide what would be refused anyway. test/roles.test.ts compares the two.
import type { components } from './api.gen'

export type Role = components['schemas']['Role']

const all: Role[] = ['viewer', 'moderator', 'senior', 'admin', 'auditor']

export const permissions = {
  'feed.see': all,
  'cases.see': all,
  'stats.see': all,
  'policy.see': ['moderator', 'senior', 'admin', 'auditor'],
  'cases.decide': ['moderator', 'senior', 'admin'],
  'cases.reverse': ['senior', 'admin'],
  'players.punish': ['senior', 'admin'],
  'evidence.see': ['senior', 'admin'],
  'policy.edit': ['admin'],
  'keys.manage': ['admin'],
  'users.manage': ['admin'],
  'audit.see': ['admin', 'auditor'],
  'evidence.log': ['senior', 'admin', 'auditor'],
  'evidence.hold': ['senior', 'admin'],
  'evidence.locked': ['admin'],
  'players.erase': ['admin'],
} satisfies Record<string, Role[]>

export type Permission = keyof typeof permissions

/** Whether a role has a permission. */
export const can = (role: Role, what: Permission): boolean => (permissions[what] as Role[]).includes(role)

/** The roles that have a permission, for a screen's line. */
export const rolesWith = (what: Permission): Role[] => permissions[what]
