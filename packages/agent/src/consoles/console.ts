/** The command did not reach the game server: it certainly did not run. */
export class NotSent extends Error {}

/** The console refused the password. Trying again would make some games ban the address of the agent. */
export class Refused extends NotSent {}

/** The command was sent, and nobody saw what became of it. */
export class Unseen extends Error {}

/** A way to the console of one game server. It runs one command at a time. */
export interface GameConsole {
  /**
   * Names the connection or the process that a command runs on. A save counts only while it is the same as when the command ran; null: there
   * is none now.
   */
  readonly session: string | null;
  /** Whether a reply can contain lines of the log of the game, such as what players write. */
  readonly isMixed: boolean;
  /** Whether the way ever tells what a command did. */
  readonly confirms: boolean;
  /** Connects and logs in, unless it is connected. @throws NotSent, Refused */
  open(): Promise<void>;
  /** Runs a command and returns what the console printed. @throws NotSent, Refused, Unseen */
  run(command: string): Promise<string>;
  close(): void;
}

/** How a way waits for the end of a reply. */
export interface ReplyTimes {
  /** The reply has ended when nothing more came for so many milliseconds. */
  readonly quietMs: number;
  /** After so many milliseconds without a reply nobody saw what became of the command. */
  readonly replyMs: number;
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
