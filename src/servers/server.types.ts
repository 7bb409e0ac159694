/** What a game server's plugin last told about it. */
export interface Heartbeat {
  readonly onlinePlayers: number;
  readonly maxPlayers: number;
  readonly version: string | null;
  readonly latencyMs: number | null;
  readonly at: Date;
}

export interface GameServer {
  readonly id: string;
  readonly shopId: string;
  readonly name: string;
  readonly game: string;
  readonly address: string | null;
  readonly isHidden: boolean;
  readonly heartbeat: Heartbeat | null;
  readonly createdAt: Date;
}
