import { Redis } from 'ioredis';
import { createTransport } from 'nodemailer';
import { type AppConfig } from '../../../infrastructure/config/app-config.js';
import { SECOND_MS } from '../../../lib/time/durations.js';
import { failed, type Finding, ok, reasonOf, warning } from './finding.js';

const TIMEOUT_MS = 5 * SECOND_MS;

/** Connects to the mail server, waits for its greeting, and logs in. Sends nothing. */
export async function checkMail({
  mailServer,
  environment,
}: Pick<AppConfig, 'mailServer' | 'environment'>): Promise<Finding> {
  if (mailServer === 'files') return ok('mail', 'SMTP_URL is not set: emails are files in DATA_DIR/mail');
  if (mailServer === 'none') {
    const message = 'SMTP_URL=none: nobody gets an email, not even with a receipt or for a new password';
    return environment === 'production' ? warning('mail', message) : ok('mail', message);
  }
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url: mailServer, ...timeouts });
  const { host } = new URL(mailServer);
  try {
    await transport.verify();
    return ok('mail', `${host} accepts emails of this service`);
  } catch (error) {
    return failed(
      'mail',
      `${host}: ${reasonOf(error)}: check the host, the port, the user name and the password in SMTP_URL`,
    );
  } finally {
    transport.close();
  }
}

/** Connects to Redis and logs in. */
export async function checkRedis({ redisUrl }: Pick<AppConfig, 'redisUrl'>): Promise<Finding> {
  if (redisUrl === null) return ok('redis', 'REDIS_URL is not set: each process counts requests for itself');
  const redis = new Redis(redisUrl, {
    ...{ lazyConnect: true, connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, maxRetriesPerRequest: 0 },
    retryStrategy: () => null,
  });
  // The reason of a failed connection comes as an event; `connect` only says that it is closed.
  let reason: unknown = null;
  redis.on('error', (error) => (reason = error));
  const { host } = new URL(redisUrl);
  try {
    await redis.connect();
    await redis.ping();
    return ok('redis', `${host} responds`);
  } catch (error) {
    return failed(
      'redis',
      `${host}: ${reasonOf(reason ?? error)}: check REDIS_URL. Logins and codes respond with 503 until then`,
    );
  } finally {
    redis.disconnect();
  }
}
