import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type AnyObject, type Connection, type Model, type mongo } from 'mongoose';
import { MIGRATIONS } from './migrations/all-migrations.js';
import { readSchemaState } from './migrations/migrate.js';
import { type SchemaState } from './migrations/schema-state.js';
import { hasCollections, indexesOf, indexName } from './model-collections.js';
import { isReplicaSet } from './replica-set.js';
import { unfinishedProblem } from './transfer/unfinished-transfer.js';

/** The module that the embedded store names in `buildInfo`. */
const EMBEDDED_MODULE = 'shop-platform-embedded-store';

/** What a database server says about itself. */
export interface ServerFacts {
  readonly version: string;
  readonly isReplicaSet: boolean;
  /** Whether it is the store that comes with the service. */
  readonly isEmbedded: boolean;
  /** How far its clock is ahead of the clock of this process, in milliseconds. */
  readonly clockAheadMs: number;
}

/** The indexes of a database, compared with those of the schemas; as `collection.index`. */
export interface IndexDifferences {
  readonly missing: readonly string[];
  /** No schema has them. */
  readonly superfluous: readonly string[];
}

/** Describes the database for the operator. It changes nothing. */
@Injectable()
export class DatabaseInspection {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async server(): Promise<ServerFacts> {
    const admin = this.database.admin();
    const before = Date.now();
    const hello = await admin.command({ hello: 1 });
    const now = (before + Date.now()) / 2;
    const { version, modules = [] } = (await admin.buildInfo()) as { version: string; modules?: readonly string[] };
    return {
      version,
      isReplicaSet: isReplicaSet(hello),
      isEmbedded: modules.includes(EMBEDDED_MODULE),
      clockAheadMs: Math.round((hello['localTime'] as Date).getTime() - now),
    };
  }

  /** Whether no process of the service has prepared the database yet. */
  async isNew(): Promise<boolean> {
    return !(await hasCollections(this.database, this.models));
  }

  /** Why the database is incomplete, as one sentence; null: it is complete. */
  unfinishedProblem(): Promise<string | null> {
    return unfinishedProblem(this.database);
  }

  schema(): Promise<SchemaState> {
    return readSchemaState(this.database, MIGRATIONS);
  }

  async indexes(): Promise<IndexDifferences> {
    const [missing, superfluous]: [string[], string[]] = [[], []];
    for (const model of this.models) {
      const { name } = model.collection;
      const wanted = new Set(['_id_', ...indexesOf(model).map(indexName)]);
      const existing = new Set(await this.indexNames(name));
      missing.push(...[...wanted].filter((index) => !existing.has(index)).map((index) => `${name}.${index}`));
      superfluous.push(...[...existing].filter((index) => !wanted.has(index)).map((index) => `${name}.${index}`));
    }
    return { missing, superfluous };
  }

  private async indexNames(collectionName: string): Promise<string[]> {
    const exists = await this.database.listCollections({ name: collectionName }, { nameOnly: true }).hasNext();
    // A collection without indexes of its own is made by its first record.
    if (!exists) return ['_id_'];
    return (await this.database.collection(collectionName).indexes()).map(({ name }) => String(name));
  }

  private get database(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }

  private get models(): readonly Model<AnyObject>[] {
    return Object.values(this.connection.models);
  }
}
