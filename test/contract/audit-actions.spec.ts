import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../src/events/audit/audit.types.js';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

describe('The catalogue of the audit log', () => {
  let services: string;

  beforeAll(async () => {
    const files = await readdir(SOURCE, { recursive: true });
    const names = files.filter((name) => name.endsWith('.service.ts'));
    services = (await Promise.all(names.map((name) => readFile(join(SOURCE, name), 'utf8')))).join('\n');
  });

  it.each(Object.keys(AUDIT_ACTIONS))('lists the action %s because a service writes it', (action) => {
    expect(services).toContain(`'${action}'`);
  });
});
