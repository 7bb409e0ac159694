import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';

/**
 * Ensures every schema's indexes before the first request: uniqueness and limits live in them, so a service that answers
 * without them would apply things twice.
 */
@Injectable()
export class DatabaseIndexes implements OnModuleInit {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async onModuleInit(): Promise<void> {
    const models = Object.values(this.connection.models);
    await Promise.all(models.map((model) => model.createIndexes()));
  }
}
