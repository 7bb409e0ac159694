import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { readEmail, type ReadEmail } from './mime.js';

/** The mails that the application wrote to its folder. */
export class Mailbox {
  /** The mails that were read already, by file name. A file never changes. */
  private readonly known = new Map<string, Promise<ReadEmail>>();

  constructor(private readonly folder: string) {}

  /** The head and the text of each mail. */
  async all(): Promise<string[]> {
    return (await this.read()).map(({ head, text }) => `${head}\n\n${text}`);
  }

  /** Each mail, in the order in which they were written by the application. */
  async read(): Promise<ReadEmail[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).sort();
    return Promise.all(files.map((name) => this.open(name)));
  }

  /** The text of the latest mail to an address whose text matches, as soon as there is one. */
  async next(to: string, pattern: RegExp): Promise<RegExpExecArray> {
    let mails: string[] = [];
    return eventually(
      async () => {
        mails = (await this.all()).filter((mail) => mail.includes(`To: ${to}`));
        return mails.map((mail) => pattern.exec(mail)).findLast((match) => match !== null);
      },
      () => `${mails.length} emails to ${to}, none of which matches ${String(pattern)}\n${mails.join('\n\n')}`,
    );
  }

  private open(name: string): Promise<ReadEmail> {
    const known = this.known.get(name) ?? readFile(join(this.folder, name), 'latin1').then(readEmail);
    this.known.set(name, known);
    return known;
  }
}
