import { type GameServer, type Heartbeat } from '../../src/catalogue/servers/server.types.js';

/** A visible game server. Without other fields, before its first heartbeat. */
export function serverWith(fields: Partial<GameServer> = {}): GameServer {
  return {
    id: '655f1c2ab1e4a9d3f0c81260',
    shopId: '655f1c2ab1e4a9d3f0c81234',
    name: 'Survival',
    game: 'minecraft',
    address: null,
    isHidden: false,
    heartbeat: null,
    seenAt: null,
    problem: null,
    medianSeconds: null,
    archivedAt: null,
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
    createdBy: 'user:655f1c2ab1e4a9d3f0c81299',
    ...fields,
  };
}

/** The fields of a server after a heartbeat. */
export const reported = (heartbeat: Heartbeat): Pick<GameServer, 'heartbeat' | 'seenAt'> => ({
  heartbeat,
  seenAt: heartbeat.at,
});

export function heartbeatAt(at: Date, fields: Partial<Heartbeat> = {}): Heartbeat {
  return { onlinePlayers: 12, maxPlayers: 100, version: '1.21', latencyMs: 8, at, ...fields };
}
