// The console's screens: each address that has a page of its own, with what it is called.
// What is measured or tried on every screen takes them from here.
export const places = [
  'feed', 'review', 'queues', 'appeals', 'player-reports', 'players', 'players/ann',
  'economy', 'economy/player/boss', 'economy/rules', 'economy/rules/new_rule', 'economy/money', 'economy/bans',
  'stats', 'reports',
  'policies', 'policies/resolved', 'policies/rollouts', 'policies/ladder', 'policies/settings', 'policies/at/global/default',
  'lists', 'lists/house', 'image-banks', 'image-banks/game/logos',
  'health', 'vault', 'audit',
  'settings', 'settings/guide', 'settings/apps', 'settings/webhooks', 'settings/people', 'settings/fail', 'settings/wellness',
]
