// The thresholds and times by which sound without words is found, as
// engines.AcousticLimits lists them; test/layer.test.ts compares the two.
export const acoustic: Readonly<Record<string, readonly string[]>> = {
  loud: ['momentary_lufs', 'momentary_ms', 'short_term_lufs', 'short_term_ms'],
  clipping: ['share', 'ms'],
  noise: ['level_dbfs', 'flatness', 'ms'],
  hum: ['level_dbfs', 'prominence_db', 'ms'],
  tone: ['share', 'steady_share', 'level_dbfs', 'ms'],
  music: ['share', 'share_without_vad', 'level_dbfs', 'ms'],
  soundboard: ['repeats', 'within_ms', 'differ'],
  scream: ['momentary_lufs', 'bright', 'low', 'ms'],
  echo: ['differ', 'max_delay_ms'],
  open_mic: ['level_dbfs', 'ms'],
}
