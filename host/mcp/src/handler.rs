//! The requests of one connection, as the SDK hands them over.

#![expect(deprecated, reason = "the version of 2026-07-28 advises against log messages; clients of both versions take them")]

use std::sync::{Arc, OnceLock};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, InitializeRequestParams, InitializeResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::call::Call;
use crate::connection::Connection;
use crate::error::CallError;
use crate::resources;
use crate::subscriptions;
use crate::tools::{self, functions};

/// What a client that begins is told.
const INSTRUCTIONS: &str = "wisp: a sandbox. Commands and code run in it, not on the user's machine, and can do only what its policy \
    allows; `explain_policy` says what that is, and what programs there are. Files, Python variables and sessions stay from call to \
    call until the client disconnects. A line in square brackets at the end of a result is from the sandbox: how something ended, what \
    was refused and by which rule. Files that are written to the output directory are named there as `wisp://` resources.";

/// The handler of one connection.
pub(crate) struct Handler {
    shared: Arc<Connection>,
    /// The connection's own, if each that begins with `initialize` has one.
    own: Option<OnceLock<Arc<Connection>>>,
}

impl Handler {
    /// Creates a handler that uses this connection.
    pub(crate) fn shared(shared: Arc<Connection>) -> Self {
        Self { shared, own: None }
    }

    /// Creates a handler that uses this connection for requests that stand alone, and one of its own after `initialize`.
    pub(crate) fn own(shared: Arc<Connection>) -> Self {
        Self { shared, own: Some(OnceLock::new()) }
    }

    fn connection(&self) -> &Connection {
        self.own.as_ref().and_then(OnceLock::get).unwrap_or(&self.shared).as_ref()
    }

    fn tools(&self) -> &[Tool] {
        let core = self.shared.core();
        core.tools.get_or_init(|| tools::list(&core.policy, core.options.structured))
    }

    async fn call(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let (connection, call) = (self.connection(), Call::new(context));
        let answer = async {
            let _admitted = connection.core().bounds.admit(request.arguments.as_ref())?;
            tools::run(connection, &call, &request.name, request.arguments).await
        };
        answer.await.or_else(CallError::answer).map(Into::into)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities =
            ServerCapabilities::builder().enable_logging().enable_tools().enable_resources().enable_resources_subscribe().build();
        if let Some(tools) = capabilities.tools.as_mut().filter(|_| functions::granted(&self.shared.core().policy)) {
            tools.list_changed = Some(true);
        }
        let server = Implementation::new("wisp", env!("CARGO_PKG_VERSION")).with_title("wisp sandbox");
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        if let Some(own) = &self.own {
            own.get_or_init(|| self.shared.child());
        }
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let connection = self.connection();
        let _admitted = connection.core().bounds.admit(None).map_err(CallError::protocol)?;
        // One whose requests stand alone hears of nothing that it has not asked for.
        let client = context.meta.protocol_version().is_none().then_some(context.peer);
        Ok(ListToolsResult::with_all_items(functions::listed(connection, self.tools(), client).await))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        self.call(request, context).await
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let call = Call::new(context);
        let _permit = self.connection().core().bounds.run(&call).await.map_err(CallError::protocol)?;
        Ok(ListResourcesResult::with_all_items(resources::list(self.connection()).await))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let call = Call::new(context);
        let read = async {
            let _permit = self.connection().core().bounds.run(&call).await?;
            resources::read(self.connection(), &request.uri).await
        };
        read.await.map(Into::into).map_err(|error| error.of_resource(&request.uri))
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        *self.connection().level.lock() = request.level;
        Ok(())
    }

    async fn subscribe(&self, request: SubscribeRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let connection = self.connection();
        connection.subscriptions.add(connection, request.uri, context.peer).await.map_err(CallError::protocol)
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.connection().subscriptions.remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(subscriptions::accepted(requested, &self.shared.core().policy))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let _admitted = self.connection().core().bounds.admit(None).map_err(CallError::protocol)?;
        subscriptions::listen(self.connection(), &context).await;
        Ok(())
    }
}
