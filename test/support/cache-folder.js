import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's folder for tools that are downloaded once. */
export const CACHE_FOLDER = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'shop-platform');
