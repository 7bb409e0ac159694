import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { SESSION_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { toSessionDto } from './auth.mapper.js';
import { SessionDto, SessionsEndedDto } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

/** The caller's own sessions. */
@ApiTags('Accounts')
@Controller('auth')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  @Authenticated()
  @ApiOperation({ summary: 'List my sessions', description: 'Returns the sessions that have not ended, newest first.' })
  @RespondsWith([SessionDto], 'Sessions retrieved')
  async list(@Auth() auth: AuthContext, @Query() query: PageQuery): Promise<Page<SessionDto>> {
    const page = await this.sessions.list(auth, query);
    return page.map((session) => toSessionDto(session, auth));
  }

  @Delete('sessions/:sessionId')
  @Authenticated()
  @DocumentedErrors('session_not_found')
  @ApiParam(SESSION_ID)
  @ApiOperation({ summary: 'End a session', description: 'Its access tokens stop working at once.' })
  @RespondsWith(SessionsEndedDto, 'Session ended')
  async end(@Auth() auth: AuthContext, @Param('sessionId', ObjectIdPipe) sessionId: string): Promise<SessionsEndedDto> {
    await this.sessions.end(auth, sessionId);
    return { sessionsEnded: 1 };
  }

  @Post('logout-all')
  @Authenticated()
  @ApiOperation({ summary: 'Log out everywhere', description: 'Ends all your sessions, also the current one.' })
  @RespondsWith(SessionsEndedDto, 'Logged out everywhere')
  async logoutAll(@Auth() auth: AuthContext): Promise<SessionsEndedDto> {
    return { sessionsEnded: await this.sessions.logoutAll(auth) };
  }
}
