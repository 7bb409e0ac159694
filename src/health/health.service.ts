import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { DatabasePing } from '../database/database-ping.js';

/** Tells a load balancer whether to send requests here. */
@Injectable()
export class HealthService {
  private stopping = false;

  constructor(private readonly database: DatabasePing) {}

  /** @throws AppError service_unavailable when the database does not respond in time or the process is stopping */
  async requireReady(): Promise<void> {
    if (this.stopping) throw new AppError('service_unavailable');
    await this.database.requireAnswer();
  }

  /** Not ready from now on. */
  stop(): void {
    this.stopping = true;
  }
}
