import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { KEY_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { Creates } from '../../http/idempotency/creates.decorator.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { IdempotentOnceShown } from '../../http/idempotency/idempotent.decorator.js';
import { toApiKeyDetailsDto, toApiKeyDto, toCreatedApiKeyDto } from './api-key.mapper.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyRevocationsService } from './key-revocations.service.js';
import { ApiKeyDetailsDto, ApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto.js';
import { CreateApiKeyDto } from './dto/create-api-key.dto.js';
import { ListApiKeysQuery } from './dto/list-api-keys.query.dto.js';
import { RestrictApiKeyDto } from './dto/restrict-api-key.dto.js';
import { RotateApiKeyDto } from './dto/rotate-api-key.dto.js';
import { UpdateApiKeyDto } from './dto/update-api-key.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly revocations: KeyRevocationsService,
  ) {}

  @Post()
  @Authenticated()
  @DocumentedErrors('permission_not_grantable', 'shop_not_found', 'server_not_found', 'quota_reached')
  @IdempotentOnceShown()
  @ApiOperation({
    summary: 'Create an API key',
    description:
      'The response is the only place where the key is shown. If you did not receive it, find the key in the list, and rotate or revoke it.',
  })
  @RespondsWith(CreatedApiKeyDto, 'API key created; it is shown only once')
  async create(
    @Auth() auth: AuthContext,
    @Creates() creation: Creation,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    return toCreatedApiKeyDto(await this.keys.create(auth, creation, body));
  }

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'List my API keys', description: 'Newest first. Includes revoked and expired keys.' })
  @RespondsWith([ApiKeyDto], 'API keys retrieved')
  async list(@Auth() auth: AuthContext, @Query() query: ListApiKeysQuery): Promise<Page<ApiKeyDto>> {
    const page = await this.keys.list(auth, query, query);
    return page.map(toApiKeyDto);
  }

  @Get(':keyId')
  @Authenticated()
  @DocumentedErrors('api_key_not_found')
  @ApiParam(KEY_ID)
  @ApiOperation({ summary: 'Read an API key', description: 'The record with all details.' })
  @RespondsWith(ApiKeyDetailsDto, 'API key retrieved')
  async get(@Auth() auth: AuthContext, @Param('keyId', ObjectIdPipe) keyId: string): Promise<ApiKeyDetailsDto> {
    return toApiKeyDetailsDto(await this.keys.get(auth, keyId));
  }

  @Patch(':keyId')
  @Authenticated()
  @DocumentedErrors('permission_not_grantable', 'api_key_inactive', 'api_key_not_found')
  @ApiParam(KEY_ID)
  @ApiOperation({ summary: 'Change an API key', description: 'Changes its name, its permissions, or both.' })
  @RespondsWith(ApiKeyDto, 'API key updated')
  async update(
    @Auth() auth: AuthContext,
    @Param('keyId', ObjectIdPipe) keyId: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.keys.update(auth, keyId, body));
  }

  @Delete(':keyId')
  @Authenticated()
  @DocumentedErrors('api_key_not_found')
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Revoke an API key',
    description:
      'The key stops working at once and forever, with all its secrets. It stays in the list. Revoking it again changes nothing.',
  })
  @RespondsWith(ApiKeyDto, 'API key revoked')
  async revoke(@Auth() auth: AuthContext, @Param('keyId', ObjectIdPipe) keyId: string): Promise<ApiKeyDto> {
    return toApiKeyDto(await this.revocations.revoke(auth, keyId));
  }

  @Post(':keyId/rotate')
  @Authenticated()
  @DocumentedErrors(
    'permission_not_grantable',
    'api_key_inactive',
    'shop_not_found',
    'api_key_not_found',
    'state_conflict',
  )
  @IdempotentOnceShown()
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Rotate an API key',
    description:
      'The response is the only place where the new secret is shown. The current secret keeps working for `graceSeconds`. ' +
      'If you did not receive the response, rotate the key again.',
  })
  @RespondsWith(CreatedApiKeyDto, 'API key rotated; the new one is shown only once')
  async rotate(
    @Auth() auth: AuthContext,
    @Param('keyId', ObjectIdPipe) keyId: string,
    @Creates() rotation: Creation,
    @Body() { graceSeconds }: RotateApiKeyDto,
  ): Promise<CreatedApiKeyDto> {
    return toCreatedApiKeyDto(await this.keys.rotate(auth, keyId, rotation, graceSeconds));
  }

  @Put(':keyId/restrictions')
  @Authenticated()
  @DocumentedErrors(
    'permission_not_grantable',
    'api_key_inactive',
    'shop_not_found',
    'api_key_not_found',
    'server_not_found',
  )
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Restrict an API key',
    description: 'Limits the key to game servers, to addresses, to both or to neither.',
  })
  @RespondsWith(ApiKeyDetailsDto, 'API key restrictions set')
  async restrict(
    @Auth() auth: AuthContext,
    @Param('keyId', ObjectIdPipe) keyId: string,
    @Body() body: RestrictApiKeyDto,
  ): Promise<ApiKeyDetailsDto> {
    return toApiKeyDetailsDto(await this.keys.restrict(auth, keyId, body));
  }
}
