import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/access.decorators.js';
import { Answers } from '../common/http/answers.decorator.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { HealthDto } from './dto/health.dto.js';
import { HealthService } from './health.service.js';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** No I/O: a database that is down is no reason to restart the service. */
  @Get('live')
  @Public()
  @RateLimit('health')
  @ApiOperation({ summary: 'Is the process alive?', description: 'For an orchestrator: restart it when this fails.' })
  @Answers(HealthDto, 'The process is alive')
  live(): HealthDto {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @RateLimit('health')
  @ApiOperation({ summary: 'Is the service ready?', description: 'For a load balancer: no requests while this fails.' })
  @Answers(HealthDto, 'The service is ready')
  async ready(): Promise<HealthDto> {
    await this.health.requireReady();
    return { status: 'ok' };
  }
}
