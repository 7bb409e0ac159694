import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection } from 'mongoose';
import { AppConfig } from '../config/app-config.js';
import { AppError } from '../../domain/errors/app-error.js';

const PING_TIMEOUT_MS = 500;

/** Checks that the database responds. */
@Injectable()
export class DatabasePing {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError service_unavailable when the database does not respond within 500 ms */
  async ping(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new AppError('service_unavailable'));
      }, PING_TIMEOUT_MS * this.config.timeLimitFactor);
    });
    try {
      await Promise.race([this.connection.db?.admin().ping(), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
