import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { ENVIRONMENT_NAMES } from '../../src/infrastructure/config/environment.js';
import { read } from '../contract/pages.js';

/** A part of the stack, as far as the specs read it. */
interface Part {
  readonly build?: string;
  readonly user?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
}

/** Properties of the container, which no setting changes. */
const FIXED: Readonly<Record<string, string>> = { NODE_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: '/data' };

let text: string;
let parts: Readonly<Record<string, Part>>;

beforeAll(async () => {
  text = await read('docker-compose.yml');
  ({ services: parts } = parse(text, { merge: true }) as { services: typeof parts });
});

const namesWithout = (...profiles: readonly string[]): string[] =>
  Object.keys(parts).filter((name) => (parts[name]?.profiles ?? []).every((profile) => profiles.includes(profile)));

describe('docker-compose.yml', () => {
  it('follows the schema of the Compose Specification', async () => {
    const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false });
    const validate = ajv.compile(JSON.parse(await read('test/operations/compose-spec.json')) as object);
    expect(validate(parse(text, { merge: true })) ? [] : validate.errors).toEqual([]);
    expect(validate({ services: { service: { mem: '1g' } } })).toBe(false);
  });

  it('passes every variable of the service from .env, in the order of .env.example', () => {
    const environment = parts['service']?.environment ?? {};
    expect(Object.keys(environment)).toEqual(ENVIRONMENT_NAMES);
    const own = Object.entries(environment).filter(([name, value]) => !value.startsWith(`\${${name}:-`));
    expect(Object.fromEntries(own)).toEqual(FIXED);
  });

  it('reads no variable that .env.example does not describe', async () => {
    const described = [...(await read('.env.example')).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    const used = [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !described.includes(name))).toEqual([]);
    expect(used).toContain('MONGO_PASSWORD');
  });

  it('starts one database server, and neither a mail catcher nor more servers without their profiles', () => {
    expect(namesWithout()).toEqual(['mongo1', 'replica-set', 'redis', 'service']);
    expect(namesWithout('mail')).toContain('mail');
    expect(namesWithout('three')).toEqual(
      expect.arrayContaining(['mongo1', 'mongo2', 'mongo3', 'replica-set-of-three']),
    );
  });

  it('confines every container: a limit of memory, a root file system that is read-only, no root user, no capabilities', async () => {
    for (const [name, part] of Object.entries(parts)) {
      const user =
        part.user ?? (part.build === undefined ? 'root' : /^USER (\S+)$/m.exec(await read('Dockerfile'))?.[1]);
      expect({ name, root: user === undefined || /^(root|0)\b/.test(user), ...part }).toMatchObject({
        ...{ name, root: false, read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
      });
    }
  });

  it('opens ports only on the machine itself', () => {
    const ports = Object.values(parts).flatMap((part) => part.ports ?? []);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(ports.length).toBeGreaterThan(0);
  });
});
