import { type Heartbeat } from './server.types.js';

/** How often a plugin is asked to report. */
export const HEARTBEAT_SECONDS = 30;
/** After how many missed heartbeats a server counts as offline. */
const MISSED_UNTIL_OFFLINE = 3;

export type ServerState = 'online' | 'offline' | 'unknown';

export interface ServerStatus {
  readonly status: ServerState;
  readonly players: { readonly online: number; readonly max: number } | null;
  readonly version: string | null;
  readonly latencyMs: number | null;
  readonly lastSeenAt: Date | null;
  /** Whether a heartbeat is overdue, or the record could not be read afresh. */
  readonly stale: boolean;
}

/**
 * What can honestly be said of a server now. Without a heartbeat nothing is known; players and latency are told only while
 * it is online, because an old number is not a number.
 */
export function statusAt(heartbeat: Heartbeat | null, now: Date): ServerStatus {
  if (heartbeat === null) {
    return { status: 'unknown', players: null, version: null, latencyMs: null, lastSeenAt: null, stale: false };
  }
  const silentSeconds = (now.getTime() - heartbeat.at.getTime()) / 1000;
  const online = silentSeconds <= HEARTBEAT_SECONDS * MISSED_UNTIL_OFFLINE;
  return {
    status: online ? 'online' : 'offline',
    players: online ? { online: heartbeat.onlinePlayers, max: heartbeat.maxPlayers } : null,
    version: heartbeat.version,
    latencyMs: online ? heartbeat.latencyMs : null,
    lastSeenAt: heartbeat.at,
    stale: silentSeconds > HEARTBEAT_SECONDS,
  };
}
