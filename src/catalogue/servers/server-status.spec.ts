import { describe, expect, it } from '@jest/globals';
import { statusAt } from './server-status.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const HEARTBEAT = { onlinePlayers: 42, maxPlayers: 100, version: 'Paper 1.21.4', latencyMs: 12, at: AT };

describe('statusAt', () => {
  it('knows nothing before the first heartbeat', () => {
    expect(statusAt(null, AT)).toEqual({
      status: 'unknown',
      players: null,
      version: null,
      latencyMs: null,
      lastSeenAt: null,
      stale: false,
    });
  });

  it.each([
    [-5_000, 'online', false],
    [0, 'online', false],
    [30_000, 'online', false],
    [30_001, 'online', true],
    [90_000, 'online', true],
    [90_001, 'offline', true],
    [86_400_000, 'offline', true],
  ] as const)('computes, %d ms after a heartbeat, the status %s and stale: %s', (ms, status, stale) => {
    expect(statusAt(HEARTBEAT, later(ms))).toMatchObject({ status, stale, lastSeenAt: AT, version: 'Paper 1.21.4' });
  });

  it('returns players and latency only while the server is online', () => {
    expect(statusAt(HEARTBEAT, AT)).toMatchObject({ players: { online: 42, max: 100 }, latencyMs: 12 });
    expect(statusAt(HEARTBEAT, later(90_001))).toMatchObject({ players: null, latencyMs: null });
    const bare = { ...HEARTBEAT, onlinePlayers: 0, version: null, latencyMs: null };
    expect(statusAt(bare, AT)).toMatchObject({ players: { online: 0, max: 100 }, version: null, latencyMs: null });
  });
});
