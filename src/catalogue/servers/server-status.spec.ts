import { describe, expect, it } from '@jest/globals';
import { problemOf, statusAt } from './server-status.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const HEARTBEAT = { onlinePlayers: 42, maxPlayers: 100, version: 'Paper 1.21.4', latencyMs: 12, at: AT };
const REPORTED = { heartbeat: HEARTBEAT, seenAt: AT };

describe('problemOf', () => {
  const problem = { text: 'The console does not answer', at: AT };

  it.each([
    ['that a server said before its first sign of life', { problem, seenAt: null }, problem],
    ['that it said after the last one', { problem, seenAt: later(-1) }, problem],
    ['once it has called again', { problem, seenAt: AT }, null],
    ['that it never said', { problem: null, seenAt: AT }, null],
  ] as const)('returns the problem %s', (_, server, expected) => {
    expect(problemOf(server)).toEqual(expected);
  });
});

describe('statusAt', () => {
  it('returns unknown, without figures, before the first heartbeat', () => {
    expect(statusAt({ heartbeat: null, seenAt: null }, AT)).toEqual({
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
    expect(statusAt(REPORTED, later(ms))).toMatchObject({ status, stale, lastSeenAt: AT, version: 'Paper 1.21.4' });
  });

  it('returns players and latency only while the server is online', () => {
    expect(statusAt(REPORTED, AT)).toMatchObject({ players: { online: 42, max: 100 }, latencyMs: 12 });
    expect(statusAt(REPORTED, later(90_001))).toMatchObject({ players: null, latencyMs: null });
    const bare = { ...HEARTBEAT, onlinePlayers: 0, version: null, latencyMs: null };
    expect(statusAt({ heartbeat: bare, seenAt: AT }, AT)).toMatchObject({
      players: { online: 0, max: 100 },
      version: null,
      latencyMs: null,
    });
  });

  it('returns online after another sign of life than a heartbeat, without the players of an old heartbeat', () => {
    const now = later(90_001);
    const alive = { status: 'online', players: null, latencyMs: null, lastSeenAt: now, stale: false };
    expect(statusAt({ heartbeat: HEARTBEAT, seenAt: now }, now)).toEqual({ ...alive, version: 'Paper 1.21.4' });
    expect(statusAt({ heartbeat: null, seenAt: now }, now)).toEqual({ ...alive, version: null });
    expect(statusAt({ heartbeat: HEARTBEAT, seenAt: later(90_000) }, later(90_000)).players).not.toBeNull();
  });
});
