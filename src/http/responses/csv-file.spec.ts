import { describe, expect, it, jest } from '@jest/globals';
import { csvFile } from './csv-file.js';

/** Lines that count how many were read; the one that is an error fails. */
async function* linesOf(read: unknown[], ...lines: (string | Error)[]): AsyncGenerator<string, void> {
  for (const line of lines) {
    read.push(line);
    if (line instanceof Error) throw line;
    yield await Promise.resolve(line);
  }
}

describe('csvFile', () => {
  it('writes all lines, as a download with this name and the day', async () => {
    jest.useFakeTimers({
      now: Date.UTC(2026, 10, 22, 23, 59),
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'],
    });
    const file = await csvFile('orders', linesOf([], 'a\r\n', 'b\r\n', 'c\r\n'));
    expect(file.getHeaders()).toEqual({
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="orders-2026-11-22.csv"',
      length: undefined,
    });
    expect(Buffer.concat(await file.getStream().toArray()).toString()).toBe('a\r\nb\r\nc\r\n');
    jest.useRealTimers();
  });

  it('fails at once when the first lines fail', async () => {
    await expect(csvFile('a', linesOf([], new Error('no database')))).rejects.toThrow('no database');
  });

  it('fails in the middle when later lines fail', async () => {
    const file = await csvFile('a', linesOf([], 'a\r\n', new Error('no database')));
    await expect(file.getStream().toArray()).rejects.toThrow('no database');
  });

  it('reads no more lines than somebody takes, and none after it was destroyed', async () => {
    const read: unknown[] = [];
    const stream = (await csvFile('a', linesOf(read, 'a', 'b', 'c', 'd', 'e', 'f', 'g'))).getStream();
    expect(read).toEqual(['a']);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    // Leaving the loop destroys the stream.
    for await (const line of stream) {
      expect(String(line)).toBe('a');
      break;
    }
    await closed;
    expect(read.length).toBeLessThan(5);
  });

  it('writes an empty file for no lines', async () => {
    expect(await (await csvFile('a', linesOf([]))).getStream().toArray()).toEqual([]);
  });
});
