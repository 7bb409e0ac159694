import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, PRIVATE_KEY } from '../../../test/support/paypal-signing.js';
import { hasCertificate } from './certificate-probe.js';

/** The name in `CERTIFICATE`. */
const NAME = 'messageverificationcerts.paypal.com';

describe('hasCertificate', () => {
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE });
  let port: number;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  it('accepts a certificate for the hostname that is signed by somebody whom browsers trust', async () => {
    expect(await hasCertificate('127.0.0.1', NAME, { port, ca: CERTIFICATE })).toBe(true);
  });

  it('accepts none for another hostname, and none that nobody signed', async () => {
    expect(await hasCertificate('127.0.0.1', 'shop.example.com', { port, ca: CERTIFICATE })).toBe(false);
    expect(await hasCertificate('127.0.0.1', NAME, { port })).toBe(false);
  });

  it('finds none where nobody listens', async () => {
    const closed = createServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port: free } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await hasCertificate('127.0.0.1', NAME, { port: free })).toBe(false);
  });
});
