import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { EtagInterceptor } from '../../http/responses/etag.interceptor.js';
import { Public } from '../../http/routes/access.decorators.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { MetaDto } from './dto/meta.dto.js';
import { toMetaDto } from './meta.mapper.js';

@ApiTags('Meta')
@Controller('meta')
@UseInterceptors(EtagInterceptor)
export class MetaController {
  /** The settings of a process do not change. */
  private readonly meta: MetaDto;

  constructor(config: AppConfig) {
    this.meta = toMetaDto(config);
  }

  @Get()
  @Public()
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Read what the service knows by name',
    description:
      'Roles, permissions, types of keys, events, payment providers with their fields, currencies, rules for nicknames, limits and ' +
      'quotas, each with a description, as the service itself uses them: a client needs no copy of such a list. A request with ' +
      '`If-None-Match` may get 304.',
  })
  @RespondsWith(MetaDto, 'Meta data retrieved')
  get(): MetaDto {
    return this.meta;
  }
}
