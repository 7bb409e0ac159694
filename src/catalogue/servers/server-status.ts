import { type Heartbeat } from './server.types.js';

/** How often a plugin reports. */
export const HEARTBEAT_SECONDS = 30;
/** After how many missed heartbeats a server counts as offline. */
const MISSED_UNTIL_OFFLINE = 3;
/** A server that was silent for longer is offline. */
export const OFFLINE_AFTER_SECONDS = HEARTBEAT_SECONDS * MISSED_UNTIL_OFFLINE;

export type ServerState = 'online' | 'offline' | 'unknown';

export interface ServerStatus {
  readonly status: ServerState;
  readonly players: { readonly online: number; readonly max: number } | null;
  readonly version: string | null;
  readonly latencyMs: number | null;
  readonly lastSeenAt: Date | null;
  /** Whether a heartbeat is overdue, or the record is from memory. */
  readonly stale: boolean;
}

/**
 * Returns the status of a server. Without a heartbeat nothing is known. Players and latency are returned only while the
 * server is online: old numbers would be wrong.
 */
export function statusAt(heartbeat: Heartbeat | null, now: Date): ServerStatus {
  if (heartbeat === null) {
    return { status: 'unknown', players: null, version: null, latencyMs: null, lastSeenAt: null, stale: false };
  }
  const silentSeconds = (now.getTime() - heartbeat.at.getTime()) / 1000;
  const online = silentSeconds <= OFFLINE_AFTER_SECONDS;
  return {
    status: online ? 'online' : 'offline',
    players: online ? { online: heartbeat.onlinePlayers, max: heartbeat.maxPlayers } : null,
    version: heartbeat.version,
    latencyMs: online ? heartbeat.latencyMs : null,
    lastSeenAt: heartbeat.at,
    stale: silentSeconds > HEARTBEAT_SECONDS,
  };
}
