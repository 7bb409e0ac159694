import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { Auth, Authenticated } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { SavedViewsDto, SettingsDto } from './dto/preferences.dto.js';
import { toSavedViewsDto, toSettingsDto } from './preferences.mapper.js';
import { MAX_VIEWS } from './preferences.types.js';
import { PreferencesService } from './preferences.service.js';

/** What a person prefers: in all shops, and the views of one shop. */
@ApiTags('Accounts')
@Controller('auth/preferences')
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'Read my preferences', description: 'How the pages of staff look, in every shop.' })
  @RespondsWith(SettingsDto, 'Preferences retrieved')
  async settings(@Auth() auth: AuthContext): Promise<SettingsDto> {
    return toSettingsDto(await this.preferences.settings(auth));
  }

  @Put()
  @Authenticated()
  @ApiOperation({ summary: 'Set my preferences', description: 'Replaces all of them.' })
  @RespondsWith(SettingsDto, 'Preferences saved')
  async setSettings(
    @Auth() auth: AuthContext,
    @Body() { language, look, shortcuts }: SettingsDto,
  ): Promise<SettingsDto> {
    return toSettingsDto(await this.preferences.setSettings(auth, { language, look, shortcuts }));
  }

  @Get(':shopId/views')
  @Authenticated()
  @DocumentedErrors('shop_not_found')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List my saved views',
    description: 'Filters that you have saved in this shop, in their order.',
  })
  @RespondsWith(SavedViewsDto, 'Views retrieved')
  async views(@Auth() auth: AuthContext, @Param('shopId', ObjectIdPipe) shopId: string): Promise<SavedViewsDto> {
    return toSavedViewsDto(await this.preferences.views(auth, shopId));
  }

  @Put(':shopId/views')
  @Authenticated()
  @DocumentedErrors('shop_not_found')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Save my views',
    description: `Replaces all views that you have saved in this shop, at most ${MAX_VIEWS}. Nobody else sees them.`,
  })
  @RespondsWith(SavedViewsDto, 'Views saved')
  async setViews(
    @Auth() auth: AuthContext,
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Body() { views }: SavedViewsDto,
  ): Promise<SavedViewsDto> {
    return toSavedViewsDto(await this.preferences.setViews(auth, shopId, views));
  }
}
