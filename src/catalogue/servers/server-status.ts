import { type GameServer, type ReportedProblem } from './server.types.js';

/** How often a plugin reports. */
export const HEARTBEAT_SECONDS = 30;
/** After how many missed heartbeats a server without another sign of life is offline. */
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
  /** Whether a sign of life is overdue, or the record is from memory. */
  readonly stale: boolean;
}

const secondsSince = (at: Date, now: Date): number => (now.getTime() - at.getTime()) / 1000;

/**
 * Why the plugin of a server cannot deliver; null: it has said nothing, or has called since. What it says while it cannot is no sign of life:
 * the server is offline after a while, as one that is silent.
 */
export function problemOf({ problem, seenAt }: Pick<GameServer, 'problem' | 'seenAt'>): ReportedProblem | null {
  return problem !== null && (seenAt === null || problem.at > seenAt) ? problem : null;
}

/**
 * Returns the status of a server. Before the first sign of life nothing is known. Players and latency are returned only while the
 * heartbeats arrive: old numbers would be wrong.
 */
export function statusAt({ heartbeat, seenAt }: Pick<GameServer, 'heartbeat' | 'seenAt'>, now: Date): ServerStatus {
  if (seenAt === null) {
    return { status: 'unknown', players: null, version: null, latencyMs: null, lastSeenAt: null, stale: false };
  }
  const silentSeconds = secondsSince(seenAt, now);
  const current = heartbeat !== null && secondsSince(heartbeat.at, now) <= OFFLINE_AFTER_SECONDS ? heartbeat : null;
  return {
    status: silentSeconds <= OFFLINE_AFTER_SECONDS ? 'online' : 'offline',
    players: current && { online: current.onlinePlayers, max: current.maxPlayers },
    version: heartbeat?.version ?? null,
    latencyMs: current?.latencyMs ?? null,
    lastSeenAt: seenAt,
    stale: silentSeconds > HEARTBEAT_SECONDS,
  };
}
