import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/** The mails that the application wrote to its folder. */
export class Mailbox {
  constructor(private readonly folder: string) {}

  async all(): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).sort();
    return Promise.all(files.map((name) => readFile(join(this.folder, name), 'utf8')));
  }

  /** The text of the latest mail to an address whose text matches, as soon as there is one. */
  async next(to: string, pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(async () => {
      const mails = (await this.all()).filter((mail) => mail.includes(`To: ${to}`));
      return mails.map((mail) => pattern.exec(mail)).findLast((match) => match !== null);
    });
  }
}
