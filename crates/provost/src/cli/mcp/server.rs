//! The protocol around a set of tools. Whatever is wrong with a call is told to whoever called, as the tool's answer: an
//! error of the protocol is seen by clients only, and agents cannot mend what they do not see.

use std::sync::Arc;

use provost_core::diagnostic::{self, Diagnostic, Exit};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use tokio::runtime::Builder;
use tokio::task::spawn_blocking;

use crate::cli::Done;
use crate::failure::Failure;

/// A set of tools.
pub(super) trait Tools: Send + Sync + 'static {
    /// What a client's model is told about all of them.
    fn instructions(&self) -> String;

    /// The tools, as they are listed.
    fn list(&self) -> Vec<Tool>;

    /// Uses one. What went wrong is in words for whoever called, with what to do.
    fn call(&self, name: &str, arguments: JsonObject) -> Result<String, String>;
}

/// Serves tools until the client goes away.
pub(super) fn serve(tools: impl Tools) -> Done {
    let runtime =
        Builder::new_current_thread().enable_time().build().map_err(|error| failed(&error.to_string()))?;
    let done = runtime.block_on(async {
        let server = Server { tools: Arc::new(tools) };
        let running = server
            .serve(rmcp::transport::stdio())
            .await
            .map_err(|error| failed(&format!("the client did not begin the protocol: {error}")))?;
        running.waiting().await.map_err(|error| failed(&error.to_string()))?;
        Ok(Exit::Done)
    });
    // A call that still waits for an answer has nobody to give it to.
    runtime.shutdown_background();
    done
}

fn failed(why: &str) -> Failure {
    Diagnostic::error(diagnostic::MCP_FAILED, why.replace('\n', " ")).into()
}

struct Server<T> {
    tools: Arc<T>,
}

impl<T: Tools> ServerHandler for Server<T> {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("provost", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(self.tools.instructions());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.list()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tools = Arc::clone(&self.tools);
        // Beside the protocol: one call may wait for a decision while others are answered.
        let answer = spawn_blocking(move || {
            let names: Vec<String> = tools.list().iter().map(|tool| tool.name.to_string()).collect();
            if names.iter().any(|name| *name == request.name) {
                tools.call(&request.name, request.arguments.unwrap_or_default())
            } else {
                Err(format!("There is no such tool here. There are: {}.", names.join(", ")))
            }
        });
        let text = |text: String| vec![ContentBlock::text(text)];
        let result = match answer.await {
            Ok(Ok(said)) => CallToolResult::success(text(said)),
            Ok(Err(why)) => CallToolResult::error(text(why)),
            Err(_) => CallToolResult::error(text("The call failed inside Provost; call again.".to_owned())),
        };
        Ok(result.into())
    }
}
