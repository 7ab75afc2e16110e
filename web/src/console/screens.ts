// The console's screens, one line each. A screen's page is a chunk of its own,
// fetched when the screen is first opened. README.md says how one is added.
import type { ComponentType } from 'react'
import type { TextKey } from '../i18n/text'
import { rolesWith, type Role } from '../lib/roles'
import type { Moderator } from '../lib/wire'
import { AppealIcon, AuditIcon, ChartIcon, CoinsIcon, FeedIcon, FlagIcon, GearIcon, HealthIcon, ListIcon, PictureIcon, PlayerIcon, PolicyIcon, ReportIcon, ReviewIcon, TableIcon, VaultIcon, type Icon } from '../ui/icons'
import type { Route } from './route'

export interface PageProps {
  me: Moderator
  /** The session has ended; useApi and useChange say so by themselves. */
  onEnded: () => void
  /** Where we are: `#/players/p1?tab=x` has the path `/players/p1` and, as rest, `['p1']`. */
  route: Route & { rest: readonly string[] }
}

export interface Screen {
  /** Its place and that of all below it: `/players` has also `/players/p1`. */
  path: string
  label: TextKey
  icon: Icon
  /** Who may see it; others don't find it in the rail and are told so at its address. */
  roles: Role[]
  group: 'work' | 'see' | 'rules' | 'keep'
  load: () => Promise<{ default: ComponentType<PageProps> }>
}

export const groups = ['work', 'see', 'rules', 'keep'] as const

export const screens: Screen[] = [
  { path: '/feed', label: 'shell.screen_feed', icon: FeedIcon, roles: rolesWith('feed.see'), group: 'work', load: () => import('./feed/FeedPage') },
  { path: '/review', label: 'review.title', icon: ReviewIcon, roles: rolesWith('cases.see'), group: 'work', load: () => import('./review/ReviewPage') },
  { path: '/queues', label: 'queues.title', icon: TableIcon, roles: rolesWith('cases.see'), group: 'work', load: () => import('./queues/QueuesPage') },
  { path: '/appeals', label: 'queues.appeals', icon: AppealIcon, roles: rolesWith('cases.see'), group: 'work', load: () => import('./queues/AppealsPage') },
  { path: '/player-reports', label: 'queues.reports', icon: FlagIcon, roles: rolesWith('cases.see'), group: 'work', load: () => import('./queues/PlayerReportsPage') },
  { path: '/players', label: 'shell.screen_players', icon: PlayerIcon, roles: rolesWith('cases.see'), group: 'work', load: () => import('./player/PlayerPage') },
  { path: '/stats', label: 'shell.screen_stats', icon: ChartIcon, roles: rolesWith('stats.see'), group: 'see', load: () => import('./stats/StatsPage') },
  { path: '/reports', label: 'shell.screen_reports', icon: ReportIcon, roles: rolesWith('stats.see'), group: 'see', load: () => import('./reports/ReportsPage') },
  { path: '/health', label: 'shell.screen_health', icon: HealthIcon, roles: rolesWith('feed.see'), group: 'keep', load: () => import('./health/HealthPage') },
  { path: '/vault', label: 'vault.title', icon: VaultIcon, roles: rolesWith('evidence.log'), group: 'keep', load: () => import('./vault/VaultPage') },
  { path: '/audit', label: 'shell.screen_audit', icon: AuditIcon, roles: rolesWith('audit.see'), group: 'keep', load: () => import('./audit/AuditPage') },
  { path: '/economy', label: 'economy.title', icon: CoinsIcon, roles: rolesWith('cases.see'), group: 'work', load: () => import('./economy/EconomyPage') },
  { path: '/policies', label: 'policies.title', icon: PolicyIcon, roles: rolesWith('policy.see'), group: 'rules', load: () => import('./policies/PoliciesPage') },
  { path: '/lists', label: 'lists.title', icon: ListIcon, roles: rolesWith('policy.see'), group: 'rules', load: () => import('./lists/ListsPage') },
  { path: '/image-banks', label: 'banks.title', icon: PictureIcon, roles: rolesWith('policy.see'), group: 'rules', load: () => import('./banks/BanksPage') },
  { path: '/settings', label: 'settings.title', icon: GearIcon, roles: rolesWith('feed.see'), group: 'keep', load: () => import('./settings/SettingsPage') },
]

/** The screen of a path: the one whose path is it or the longest beginning of it. */
export function screenOf(path: string): Screen | undefined {
  return screens.filter((s) => path === s.path || path.startsWith(`${s.path}/`)).sort((a, b) => b.path.length - a.path.length)[0]
}

/** What stands behind a screen's own path, decoded. */
export function restOf(screen: Screen, path: string): string[] {
  return path.slice(screen.path.length).split('/').filter(Boolean).map((s) => { try { return decodeURIComponent(s) } catch { return s } })
}
