/** The client of a command: one connection. */
export interface Client {
  readonly id: number;
  appName: string;
  /** Aborts when the connection is closed. */
  readonly closed: AbortSignal;
}
