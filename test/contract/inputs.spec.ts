import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { ROOT } from './pages.js';

type Body = new () => object;

/** The sources of `src` without specs, relative to it. */
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
);
const isBody = (name: string): boolean => /(\.dto|[.-]query)\.ts$/.test(name);

/** Each field of each body and query, for example `LoginDto.email`, with what the service reads from a string in it. */
let fields: [name: string, read: (sent: string) => unknown][];

/** The fields with an initial value and a documented default: that default, and the initial value. */
let defaults: [name: string, documented: unknown, inCode: unknown][];

/** Where @nestjs/swagger keeps what it documents. */
const [PROPERTIES, PROPERTY] = ['swagger/apiModelPropertiesArray', 'swagger/apiModelProperties'];

beforeAll(async () => {
  const modules: Record<string, unknown>[] = [];
  // One after the other: Jest fails on ES modules that import each other in parallel.
  for (const name of sources.filter(isBody))
    modules.push((await import(join(ROOT, 'src', name))) as (typeof modules)[0]);
  const bodies = modules
    .flatMap((exported) => Object.values(exported))
    .filter((one): one is Body => typeof one === 'function' && /(Dto|Query|Fields)$/.test(one.name));
  defaults = bodies.flatMap((body) => {
    const own: Record<string, unknown> = { ...new body() };
    const names = (Reflect.getMetadata(PROPERTIES, body.prototype) ?? []) as string[];
    return names
      .map((name) => name.slice(1))
      .map((field): (typeof defaults)[number] => {
        const documented = Reflect.getMetadata(PROPERTY, body.prototype, field) as { default?: unknown } | undefined;
        return [`${body.name}.${field}`, documented?.default, own[field]];
      })
      .filter(([, documented, inCode]) => documented !== undefined && inCode !== undefined);
  });
  fields = bodies.flatMap((body) => {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(body, '', false, false);
    return [...new Set(metadata.map(({ propertyName }) => propertyName))].map((field): (typeof fields)[number] => [
      `${body.name}.${field}`,
      (sent) =>
        (plainToInstance(body, { [field]: sent }, { exposeUnsetFields: false }) as Record<string, unknown>)[field],
    ]);
  });
  expect(fields.length).toBeGreaterThan(300);
});

/** The fields whose name matches, and that read a string as something else than expected. */
const others = (named: RegExp, sent: string, expected: string): string[] =>
  fields.filter(([name, read]) => named.test(name) && read(sent) !== expected).map(([name]) => name);

describe('The fields of all bodies and queries', () => {
  it('reads each email address in its one spelling', () => {
    expect(others(/\.(\w*E|e)mail$/, ' Steve@B\u00DCcher.example ', 'steve@xn--bcher-kva.example')).toEqual([]);
  });

  it('reads each code that a person types in its one spelling', () => {
    const typed =
      /^(?!QuoteProblem)(Checkout|Quote|Validate|Create|Update|Confirm|ChangeNickname|SecondFactor)(?!dOrder).*\.(code|\w+Code)$/;
    expect(others(typed, ' \uFF411\u0662 b ', 'A12B')).toEqual([]);
  });

  it('removes the spaces around every string of a body, except for passwords and what machines report', () => {
    const kept = fields.filter(([, read]) => read(' A ') === ' A ').map(([name]) => name);
    expect(kept.filter((name) => !/\.(cursor|\w*[pP]assword)$/.test(name)).sort()).toEqual(VERBATIM);
  });

  it('documents the initial value of each field as its default', () => {
    expect(defaults.filter(([, documented, inCode]) => documented !== inCode)).toEqual([]);
    expect(defaults.length).toBeGreaterThan(10);
  });

  it('finds no decorator of class-validator or class-transformer outside of the shared fields', () => {
    const own = sources.filter((name) => isBody(name) && !name.startsWith('http/'));
    const found = own.filter((name) =>
      /from 'class-(validator|transformer)'/.test(readFileSync(join(ROOT, 'src', name), 'utf8')),
    );
    expect(found).toEqual(OWN_CHECKS);
  });
});

/**
 * What plugins and the receivers of webhooks report, which the service cleans itself, credentials of payment providers, and flags,
 * which only queries have.
 */
const VERBATIM = [
  'AcknowledgementDto.output',
  'ConfigureProviderDto.credentials',
  'LeaseDeliveriesDto.players',
  'ListApiKeysQuery.isActive',
  'ListBansQuery.hasEnded',
  'ListDiscountsQuery.isActive',
  'ListProductsQuery.isActive',
  'ListShopApiKeysQuery.isActive',
  'WebhookAttemptDto.response',
];

/** A heartbeat, whose players are read only without `problem`. The credentials of a payment provider: their names depend on the provider. */
const OWN_CHECKS = ['catalogue/servers/dto/heartbeat.dto.ts', 'payments/accounts/dto/configure-provider.dto.ts'];
