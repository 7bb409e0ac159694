import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { AppError } from '../common/errors/app-error.js';

const PING_TIMEOUT_MS = 500;

/** Asks the database whether it is there. */
@Injectable()
export class DatabasePing {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @throws AppError service_unavailable when there is no answer within 500 ms */
  async requireAnswer(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new AppError('service_unavailable'));
      }, PING_TIMEOUT_MS);
    });
    try {
      await Promise.race([this.connection.db?.admin().ping(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
