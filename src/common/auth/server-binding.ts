import { AppError } from '../errors/app-error.js';
import { type ShopContext } from './auth-context.js';

/**
 * Holds a caller to the game servers that it is bound to. Somebody who is bound has to name one: no server would mean all.
 * @throws AppError server_access_denied
 */
export function requireServer({ serverIds }: Pick<ShopContext, 'serverIds'>, serverId: string | undefined): void {
  if (serverIds === null) return;
  if (serverId === undefined || !serverIds.has(serverId)) throw new AppError('server_access_denied');
}
