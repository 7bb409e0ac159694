import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type PublicServerDto } from './dto/public-server.dto.js';
import { type ListedServerDto } from './dto/listed-server.dto.js';
import { type ServerDto } from './dto/server.dto.js';
import { type ServerStatusDto } from './dto/server-status.dto.js';
import { type GameServer } from './server.types.js';
import { problemOf, type ServerStatus, statusAt } from './server-status.js';
import { type ListedServer, type PublicStatus } from './servers.service.js';

export function toServerDto(server: GameServer): ServerDto {
  const { id, name, game, address, isHidden, seenAt, medianSeconds, createdAt } = server;
  const { status, players, version } = shownStatus(statusAt(server, new Date()));
  return {
    id,
    name,
    game,
    address,
    isHidden,
    status,
    players,
    version,
    lastSeenAt: seenAt?.toISOString() ?? null,
    problem: problemOf(server)?.text ?? null,
    medianSeconds,
    createdAt: createdAt.toISOString(),
  };
}

export function toServerStatusDto({ id, name, checkedAt, ...status }: PublicStatus): ServerStatusDto {
  return { id, name, ...shownStatus(status), checkedAt: checkedAt.toISOString() };
}

export function toListedServerDto({ server, status }: ListedServer): ListedServerDto {
  const { id, name, game, address, medianSeconds } = server;
  return { id, name, game, address, ...shownStatus(status), medianSeconds };
}

function shownStatus(status: ServerStatus): Omit<ServerStatusDto, 'id' | 'name' | 'checkedAt'> {
  return {
    status: status.status,
    players: status.players && { online: status.players.online, max: status.players.max },
    version: status.version,
    latencyMs: status.latencyMs,
    lastSeenAt: status.lastSeenAt?.toISOString() ?? null,
    stale: status.stale,
  };
}

/** The server as this caller may see it. */
export function toServerView(server: GameServer, { publicView }: ShopContext): ServerDto | PublicServerDto {
  const { id, name, game } = server;
  return publicView ? { id, name, game } : toServerDto(server);
}
