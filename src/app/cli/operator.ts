import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { AppLogger, createLogger } from '../../infrastructure/logging/logger.js';
import { type AppConfig, loadProcessConfig } from '../../infrastructure/config/app-config.js';
import { joinDatabase } from '../../infrastructure/database/open-database.js';
import { requireReachable } from '../../infrastructure/database/reachable.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { PublicShopsService } from '../../shops/shops/public-shops.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { CommandError } from './problems.js';

/** The settings of the service, without those that only a listening service needs. */
export function operatorConfig(): AppConfig {
  return { ...loadProcessConfig(), metricsPort: null, demo: false };
}

/** Runs work with the connection string of the configured database, which is open meanwhile. The service may be running. */
export async function withDatabase<Result>(
  config: AppConfig,
  work: (databaseUri: string) => Promise<Result>,
): Promise<Result> {
  const database = await joinDatabase(config.mongodbUri, config.dataDir);
  try {
    await requireReachable(database.uri);
    return await work(database.uri);
  } finally {
    await database.close();
  }
}

/** Runs work with the parts of the service, none of which has started: no migrations, no indexes, no background jobs. */
export async function withPartsOn<Result>(
  databaseUri: string,
  config: AppConfig,
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const app = await NestFactory.create(AppModule.forRoot({ config, databaseUri }), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Runs work in a process of the service that does not listen: with all of its features, its database and its background jobs. */
export async function withApp<Result>(
  work: (app: INestApplicationContext, config: AppConfig) => Promise<Result>,
): Promise<Result> {
  const config = operatorConfig();
  return withDatabase(config, (databaseUri) => withAppOn(databaseUri, config, (app) => work(app, config)));
}

/** As `withApp`, on a database that is open. */
export async function withAppOn<Result>(
  databaseUri: string,
  config: AppConfig,
  work: (app: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const logger = new AppLogger(createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel, 'stderr'));
  const module = AppModule.forRoot({ config, databaseUri });
  const app = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** @throws CommandError when no shop has the id */
export async function requireShop(app: INestApplicationContext, shopId: string): Promise<void> {
  if (isObjectId(shopId) && (await app.get(ShopsService, { strict: false }).exists(shopId))) return;
  throw new CommandError(`There is no shop ${shopId}.`);
}

/** The id of the shop with this id or unique name. @throws CommandError, AppError shop_not_found when there is none */
export async function shopIdOf(app: INestApplicationContext, shop: string): Promise<string> {
  if (!isObjectId(shop)) return (await app.get(PublicShopsService, { strict: false }).byName(shop)).id;
  await requireShop(app, shop);
  return shop;
}
