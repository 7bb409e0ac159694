import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal, type LeasedName } from './journal.js';
import { lockJournal } from './journal-lock.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-journal-'));
  path = join(folder, 'journal.jsonl');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const name = (deliveryId: string, run = 1, attempt = 1): LeasedName => ({ serverId: 's', deliveryId, attempt, run });

describe('The journal', () => {
  it('remembers after a restart what is not reported, and drops what is', () => {
    const before = new Journal(path);
    before.add({ ...name('waits'), mark: 'leased' }, { ...name('runs'), mark: 'leased' });
    before.add({ ...name('runs'), mark: 'begun', command: 1 });
    before.add({ ...name('done'), mark: 'result', status: 'delivered', output: 'Gave' });
    before.add(
      { ...name('over'), mark: 'result', status: 'failed', output: '' },
      { ...name('over'), mark: 'reported' },
    );
    before.close();
    const after = new Journal(path);
    expect(after.open().map(({ deliveryId, mark }) => `${deliveryId} ${mark}`)).toEqual([
      ...['waits leased', 'runs begun', 'done result'],
    ]);
    expect(after.resultOf(name('over', 1, 2))).toBe('failed');
    expect(after.resultOf(name('over', 2))).toBeUndefined();
    after.close();
  });

  it('ignores the line that was being written when the machine stopped', () => {
    const before = new Journal(path);
    before.add({ ...name('waits'), mark: 'leased' });
    before.close();
    appendFileSync(path, '{"serverId":"s","deliveryId":"waits","mark":"beg');
    const after = new Journal(path);
    expect(after.open().map(({ mark }) => mark)).toEqual(['leased']);
    after.add({ ...name('next'), mark: 'leased' });
    after.close();
    expect(readFileSync(path, 'utf8')).not.toContain('"beg{');
  });

  it('does not take what was released for something that ran', () => {
    const journal = new Journal(path);
    journal.add({ ...name('back'), mark: 'result', status: 'released', output: '' });
    expect(journal.resultOf(name('back'))).toBeUndefined();
    journal.close();
  });

  it('is used by one agent at a time', async () => {
    const lock = await lockJournal(path);
    await expect(lockJournal(path)).rejects.toThrow(/^Another agent uses /);
    await new Promise((resolve) => lock.close(resolve));
    (await lockJournal(path)).close();
  });
});
