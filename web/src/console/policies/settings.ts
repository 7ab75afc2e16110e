// Where on the page of a layer a setting stands: test/settings.test.ts fails where the
// gateway has one that is offered nowhere.

/** The settings that fields of the form stand for. */
export const fields = ['/categories', '/prohibited', '/exceptions', '/schedule', '/strictness', '/stricter', '/mode', '/reason', '/description', '/fail', '/record', '/sample_rate', '/time_zone', '/game_mode', '/countries', '/lists', '/approve_clear', '/escalate_mandatory', '/acoustic', '/segments']

/** What a layer can say besides, named here so that it is offered before anybody has said it. */
export const known = ['/economy/risk', '/economy/stricter', '/trust/watched', '/trust/trusted', '/trust/recent', '/trust/recent_stricter',
  '/history/window_minutes', '/history/half_life_minutes', '/history/weight', '/history/most',
  '/banned_voices/link', '/banned_voices/basis', '/banned_voices/days', '/banned_voices/remember_minutes', '/banned_voices/similarity',
  '/fail_by_kind/text', '/fail_by_kind/name', '/fail_by_kind/image', '/fail_by_kind/audio', '/fail_by_kind/video']
/** Of those, what is a yes or no, and what is words; the others are numbers. */
export const flags = ['/banned_voices/link']
export const words = ['/banned_voices/basis']
/** What holds where no layer says it, where it is no matter of the gateway's configuration. */
export const usual: Record<string, string> = { '/banned_voices/basis': '', '/banned_voices/days': '90', '/banned_voices/remember_minutes': '60', '/banned_voices/similarity': '0.93' }

/** Where faults are told beside their field; those of other settings are told above the form. */
export const told = [...fields.filter((f) => f !== '/segments'), ...new Set(known.map((p) => p.slice(0, p.indexOf('/', 1))))]
