import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/access.decorators.js';
import { Answers } from '../common/http/answers.decorator.js';
import { HealthDto } from './dto/health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** Whether the process runs. No I/O: a database that is down is no reason to restart the service. */
  @Get('live')
  @Public()
  @Answers(HealthDto, 'The process is alive')
  live(): HealthDto {
    return { status: 'ok' };
  }

  /** Whether the service can answer requests now. */
  @Get('ready')
  @Public()
  @Answers(HealthDto, 'The service is ready')
  async ready(): Promise<HealthDto> {
    await this.health.requireReady();
    return { status: 'ok' };
  }
}
