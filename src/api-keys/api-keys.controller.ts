import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated } from '../common/auth/access.decorators.js';
import { type AuthContext } from '../common/auth/auth-context.js';
import { Answers } from '../common/http/answers.decorator.js';
import { type Page } from '../common/http/page.js';
import { KEY_ID } from '../common/http/path-parameters.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { IdempotentOnceShown } from '../idempotency/idempotent.decorator.js';
import { toApiKeyDetailsDto, toApiKeyDto, toCreatedApiKeyDto } from './api-key.mapper.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyDetailsDto, ApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ListApiKeysQuery } from './dto/list-api-keys.query.dto.js';
import { RestrictApiKeyDto } from './dto/restrict-api-key.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { UpdateApiKeyDto } from './dto/update-api-key.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Authenticated()
  @IdempotentOnceShown()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Make an API key',
    description:
      'The answer is the only place where the key is shown. Who missed it finds the key in the list, and rotates or revokes it.',
  })
  @Answers(CreatedApiKeyDto, 'API key created; it is shown this once')
  async create(@Auth() auth: AuthContext, @Body() body: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return toCreatedApiKeyDto(await this.keys.create(auth, body));
  }

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'List my API keys', description: 'Newest first, revoked and expired ones included.' })
  @Answers([ApiKeyDto], 'API keys retrieved')
  async list(@Auth() auth: AuthContext, @Query() query: ListApiKeysQuery): Promise<Page<ApiKeyDto>> {
    const page = await this.keys.list(auth, query, query.after, query.limit);
    return page.map(toApiKeyDto);
  }

  @Get(':keyId')
  @Authenticated()
  @ApiParam(KEY_ID)
  @ApiOperation({ summary: 'Read an API key', description: 'The record with its full permissions.' })
  @Answers(ApiKeyDetailsDto, 'API key retrieved')
  async get(@Auth() auth: AuthContext, @Param('keyId', ObjectIdPipe) keyId: string): Promise<ApiKeyDetailsDto> {
    return toApiKeyDetailsDto(await this.keys.get(auth, keyId));
  }

  @Patch(':keyId')
  @Authenticated()
  @ApiParam(KEY_ID)
  @ApiOperation({ summary: 'Change an API key', description: 'Its name, its permissions, or both.' })
  @Answers(ApiKeyDto, 'API key updated')
  async update(
    @Auth() auth: AuthContext,
    @Param('keyId', ObjectIdPipe) keyId: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.keys.update(auth, keyId, body));
  }

  @Delete(':keyId')
  @Authenticated()
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Revoke an API key',
    description:
      'At once and for good, with every secret of it. It stays in the lists; revoking it again changes nothing.',
  })
  @Answers(ApiKeyDto, 'API key revoked')
  async revoke(@Auth() auth: AuthContext, @Param('keyId', ObjectIdPipe) keyId: string): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.keys.revoke(auth, keyId));
  }

  @Post(':keyId/rotate')
  @Authenticated()
  @IdempotentOnceShown()
  @Header('Cache-Control', 'no-store')
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Rotate an API key',
    description:
      'The answer is the only place where the new secret is shown. The present one works on for `graceSeconds`. ' +
      'Who missed the answer rotates again.',
  })
  @Answers(CreatedApiKeyDto, 'API key rotated; the new one is shown this once')
  async rotate(
    @Auth() auth: AuthContext,
    @Param('keyId', ObjectIdPipe) keyId: string,
    @Body() { graceSeconds }: RotateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    return toCreatedApiKeyDto(await this.keys.rotate(auth, keyId, graceSeconds));
  }

  @Put(':keyId/restrictions')
  @Authenticated()
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Restrict an API key',
    description: 'To game servers, to addresses, to both or to neither.',
  })
  @Answers(ApiKeyDetailsDto, 'API key restrictions set')
  async restrict(
    @Auth() auth: AuthContext,
    @Param('keyId', ObjectIdPipe) keyId: string,
    @Body() body: RestrictApiKeyDto,
  ): Promise<ApiKeyDetailsDto> {
    return toApiKeyDetailsDto(await this.keys.restrict(auth, keyId, body));
  }
}
