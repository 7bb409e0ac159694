import { codeName, StoreError } from '../errors.js';
import { type Session } from '../transactions/sessions.js';
import { type Doc } from '../values/types.js';
import { type Client } from './client.js';

/** A command that is being executed, as others see it. */
export interface RunningCommand {
  readonly client: Client;
  readonly name: string;
  readonly database: string;
  readonly body: Doc;
  readonly startedAt: number;
  readonly session: Session | undefined;
  /** Ends it with that error at its next pause. */
  stop(error: StoreError): void;
}

/** The commands that are being executed. They end at their next pause when they are killed or when their client is gone. */
export class Running {
  private readonly operations = new Map<number, RunningCommand>();
  private last = 0;

  /** Adds a command; returns how to remove it. */
  add(operation: RunningCommand): () => void {
    const id = ++this.last;
    this.operations.set(id, operation);
    return () => void this.operations.delete(id);
  }

  /** All of them with their numbers, in the order in which they began. */
  list(): [number, RunningCommand][] {
    return [...this.operations];
  }

  /** Ends the command with that number. One that does not exist has ended already. */
  kill(id: number): void {
    this.operations.get(id)?.stop(interrupted());
  }

  /** Ends the commands of a session (its key). */
  killSession(key: Buffer): void {
    for (const operation of this.operations.values())
      if (operation.session?.key.equals(key)) operation.stop(interrupted());
  }

  /** Ends the commands of a client whose connection is closed. */
  abandon(client: Client): void {
    for (const operation of this.operations.values())
      if (operation.client === client) operation.stop(new StoreError(279, codeName(279)));
  }
}

const interrupted = (): StoreError => new StoreError(11601, 'operation was interrupted');
