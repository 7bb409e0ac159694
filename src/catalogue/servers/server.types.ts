/** The last report of the plugin of a game server. */
export interface Heartbeat {
  readonly onlinePlayers: number;
  readonly maxPlayers: number;
  readonly version: string | null;
  readonly latencyMs: number | null;
  readonly at: Date;
}

/** Why the plugin of a game server cannot deliver, as it said last. */
export interface ReportedProblem {
  readonly text: string;
  readonly at: Date;
}

/** What a plugin reports: how the game is, or why it cannot deliver. */
export type PluginReport = Omit<Heartbeat, 'at'> | { readonly problem: string };

/** Whether the plugin of a server reports. */
export const PRESENCES = ['online', 'offline'] as const;
export type Presence = (typeof PRESENCES)[number];

export interface GameServer {
  readonly id: string;
  readonly shopId: string;
  readonly name: string;
  readonly game: string;
  /** Where players connect. */
  readonly address: string | null;
  /** Whether the public status does not exist for anybody. */
  readonly isHidden: boolean;
  /** null before the first report. */
  readonly heartbeat: Heartbeat | null;
  /** The last sign of life of its plugin: a heartbeat, or a request for deliveries. null before the first. */
  readonly seenAt: Date | null;
  /** The last problem of its plugin, which counts until the next sign of life (`problemOf`). null: it has never said one. */
  readonly problem: ReportedProblem | null;
  /** How long its purchases usually wait until they are delivered, as `DeliveryTimesService` has found last; null: too few to say. */
  readonly medianSeconds: number | null;
  /** When the shop deleted it; null: not deleted. The record stays for the statistics of its orders. */
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  /** `user:<id>` or `key:<id>`. */
  readonly createdBy: string;
}

/** What a shop can change. */
export type ServerChange = Partial<Pick<GameServer, 'name' | 'game' | 'address' | 'isHidden'>>;

/** A game server whose usual time until a delivery is to be found. */
export type TimedServer = Pick<GameServer, 'id' | 'shopId'>;

/** A game server that its shop has deleted. */
export interface DeletedServer {
  readonly id: string;
  readonly shopId: string;
  readonly deletedAt: Date;
}
