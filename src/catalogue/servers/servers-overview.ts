import { type Contribution, type Need } from '../../shops/overview/overview.types.js';
import { problemOf, statusAt } from './server-status.js';
import { type GameServer } from './server.types.js';

/**
 * The servers of a shop for its overview. One that never called is a step of the checklist, and not yet silent, unless its plugin says that it
 * cannot deliver.
 */
export function serversPart(servers: readonly GameServer[], now: Date): Contribution {
  const listed = servers.map((server) => ({ server, status: statusAt(server, now) }));
  const silent = listed.filter(({ server, status }) => status.status === 'offline' || problemOf(server) !== null);
  return {
    needs: silent.map(({ server, status }): Need => {
      const { id, name } = server;
      const problem = problemOf(server);
      const since = status.lastSeenAt ?? problem?.at ?? null;
      if (problem !== null) return { kind: 'server_problem', subject: id, name, reason: problem.text, since, count: 1 };
      const reason = 'The game server has stopped reporting. What was bought for it waits until it reports again';
      return { kind: 'server_silent', subject: id, name, reason, since, count: 1 };
    }),
    checklist: { server: servers.some(({ seenAt }) => seenAt !== null) },
    sections: {
      servers: listed.map(({ server: { id, name }, status: { status, players, lastSeenAt } }) => {
        return { id, name, status, players, lastSeenAt };
      }),
    },
  };
}
