// The stream's messages as this client uses them; the contract is api/asyncapi.yaml.
import type { components } from './api.gen'

type Schemas = components['schemas']
export type Suggestion = Schemas['Suggestion']
export type Action = Schemas['Action']
export type Category = Schemas['Category']
export type Mode = Schemas['Mode']
export type Label = Schemas['Label']
export type Observed = Schemas['Observed']
export type Position = Schemas['Position']
export type Case = Schemas['Case']
export type Status = Schemas['Status']
export type Models = Schemas['Models']
export type Model = Schemas['Model']
export type Moderator = Schemas['Moderator']
export type Scene = Schemas['Scene']
export type Explanation = Schemas['Explanation']

export const suggestions: readonly Suggestion[] = ['pass', 'review', 'block']
export const modes: readonly Mode[] = ['real_time_block', 'deferred_review', 'pre_review', 'monitor_only']
export const categories: readonly Category[] = [
  'violence', 'sexual', 'hate', 'illegal', 'spam', 'harassment', 'political', 'privacy',
]
/** All that can be found: the categories of words, then those of pictures and sound. */
export const allCategories: readonly string[] = [
  ...categories, 'nudity', 'semi_nudity', 'gore', 'child_safety', 'extremism', 'ip_infringement', 'malicious_link', 'advertising', 'acoustic',
]
export const contentKinds = ['text', 'name', 'image', 'audio'] as const

export interface Ready {
  type: 'ready'
  session_id: string
  resume_token: string
  epoch: string
  heartbeat_ms: number
  resume_window_ms: number
  scenes?: string[]
}
export interface Resumed { type: 'resumed'; resume_token: string; from: number; count: number }
export interface Reset { type: 'reset'; reason: string }
export interface Ok { type: 'ok'; id: string }
export interface Fault { type: 'error'; id?: string; code: number; message: string; retry_ms?: number }
export interface Drain { type: 'drain'; reconnect_in_ms: number }
export interface Pong { type: 'pong' }
export interface VerdictFrame {
  type: 'verdict'
  id?: string
  seq?: number
  request_id: string
  suggestion: Suggestion
  action: Action
  categories?: Category[]
  content?: string
  latency_ms: number
  warn?: boolean
  pending?: boolean
  degraded?: boolean
  dup?: boolean
}
export interface MessageFrame {
  type: 'message'
  seq: number
  scene_id: string
  message_id: string
  player_id: string
  content: string
  language?: string
  sent_at: string
}
export interface RetractFrame { type: 'retract'; seq: number; scene_id: string; message_id: string; reason: string }
export interface NoticeFrame {
  type: 'notice'
  seq: number
  kind: 'warning' | 'mute' | 'unmute' | 'ban' | 'approved' | 'rejected'
  category?: Category
  until?: string
  case_id?: string
  /** The message that the notice is about. */
  request_id?: string
  text: string
}
export interface VoiceAnswer { type: 'voice.answer'; id: string; sdp: string }
export interface VoiceVerdict {
  type: 'voice.verdict'
  seq: number
  scene_id: string
  /** From the first packet of the call. */
  at_ms: number
  request_id: string
  suggestion: Suggestion
  action: Action
  categories: Category[]
  latency_ms: number
  warn?: boolean
}
/** The voice is muted and its call over; without until for good. */
export interface VoiceMute { type: 'voice.mute'; seq: number; scene_id: string; until?: string }
export interface FeedEvent {
  type: 'feed.event'
  event_id: string
  at: string
  app_id: string
  kind: string
  scene_id?: string
  player_id: string
  request_id: string
  suggestion: Suggestion
  action: Action
  label: Label[]
  observed?: Observed
  content: string
  language?: string
  masked?: string
  hits?: Position[]
  latency_ms: number
  latency_us?: number
  mode: Mode
  case_id?: string
  case_version?: number
  warn?: boolean
  stricter?: 'economy_risk' | 'recent_violations' | 'earlier_content'
  degraded?: boolean
  /** Of what is no verdict: how it is said. Never on the wire. */
  other?: { word: string; tone: 'block' | 'review' | 'pass'; text: string; /** Why, as the economy's catalogue names it. */ factors?: string[]; /** Where more is told of it. */ href?: string }
}
/** A feed event that tells of a ban. */
export interface BanEvent {
  type: 'feed.event'
  kind: 'ban'
  event_id: string
  at: string
  app_id: string
  player_id: string
  request_id: string
  ban_id: string
  ban_type: Schemas['BanType']
  state: 'created' | 'lifted' | 'expired'
  until: string | null
  reason: string
  by: string
  lift_reason?: string
  lifted_by?: string
}
/** A feed event that tells of a case which the economy opened, or of what became of the risk behind one. */
export type EconomyCaseEvent = Schemas['EconomyAlert'] & {
  type: 'feed.event'
  kind: 'case'
  event_id: string
  at: string
  app_id: string
  player_id: string
  request_id: string
  case_id: string
  case_version: number
  case_kind: 'ban_evasion' | 'risk'
  state: 'open' | 'claimed' | 'held' | 'escalated' | 'closed'
  change: 'opened' | 'fell' | 'rose'
}
/** A feed event that tells of a category that is found far more often than usual. */
export interface AnomalyEvent {
  type: 'feed.event'
  kind: 'anomaly'
  player_id?: string
  request_id?: string
  event_id: string
  at: string
  app_id: string
  category: string
  began_at: string
  hour: string
  found: number
  verdicts: number
  share: number
  usual_share: number
  ratio: number
}
/** A feed event that tells of a penalty. */
export interface PenaltyEvent {
  type: 'feed.event'
  kind: 'penalty'
  event_id: string
  at: string
  app_id: string
  player_id: string
  request_id: string
  state: 'created' | 'lifted' | 'expired'
  penalty: Schemas['Penalty']
}
/** A feed event that tells of a rollout of a policy that stopped by itself. */
export interface PolicyEvent {
  type: 'feed.event'
  kind: 'policy'
  event_id: string
  at: string
  app_id: string
  player_id: string
  request_id: string
  rollout_id: string
  layer: string
  name: string
  state: string
  step: string
  share: number
  why: string
}
export interface FeedDropped { type: 'feed.dropped'; n: number }

export type ServerFrame =
  | Ready | Resumed | Reset | Ok | Fault | Drain | Pong
  | VerdictFrame | MessageFrame | RetractFrame | NoticeFrame | VoiceAnswer | VoiceVerdict | VoiceMute | FeedEvent | BanEvent | EconomyCaseEvent | AnomalyEvent | PenaltyEvent | PolicyEvent | FeedDropped
