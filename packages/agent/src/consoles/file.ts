// A file that another program reads. It never tells what became of a command, so such deliveries are handed over.
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { access, constants } from 'node:fs/promises';
import { type GameConsole, messageOf, NotSent, Unseen } from './console.js';

export class CommandFile implements GameConsole {
  readonly session = 'file';
  readonly isMixed = false;
  readonly confirms = false;

  constructor(private readonly path: string) {}

  async open(): Promise<void> {
    await access(dirname(this.path), constants.W_OK).catch((error: unknown) => {
      throw new NotSent(messageOf(error));
    });
  }

  async run(command: string): Promise<string> {
    const file = await open(this.path, 'a').catch((error: unknown) => {
      throw new NotSent(messageOf(error));
    });
    try {
      await file.appendFile(`${command}\n`);
      await file.sync();
    } catch (error) {
      throw new Unseen(messageOf(error));
    } finally {
      await file.close();
    }
    return '';
  }

  close(): void {
    // Nothing is open between two commands.
  }
}
