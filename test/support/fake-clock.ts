import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Debian's package `faketime` has its library. */
const LIBRARY = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .find(existsSync);

/** Whether this machine has libfaketime. */
export const hasFakeClock = LIBRARY !== undefined;

/** The wall clock of processes, which a spec sets while they run, as NTP or an operator does. Their monotonic clock goes on. */
export class FakeClock {
  private readonly file: string;

  private constructor(folder: string) {
    this.file = join(folder, 'clock');
  }

  static async start(folder: string): Promise<FakeClock> {
    const clock = new FakeClock(folder);
    await clock.set(0);
    return clock;
  }

  /** The environment of a process that has this clock. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: this.file,
      // It reads the file again after a second.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Sets the clock to the real time and this many seconds. Processes notice it within a second or two. */
  async set(aheadSeconds: number): Promise<void> {
    // A process never reads half of it.
    await writeFile(`${this.file}.part`, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`);
    await rename(`${this.file}.part`, this.file);
  }
}
