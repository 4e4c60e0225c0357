//! The functions of SQLite that CPython's module `_sqlite3` calls. `components/python/exchange.py` reads this list.

use core::ffi::c_int;

use libsqlite3_sys::*;

unsafe extern "C" {
    /// Implements `sqlite3_close_v2`, which the crate does not declare.
    fn sqlite3_close_v2(connection: *mut sqlite3) -> c_int;
    /// Returns where the slots are: one word for each function, in order.
    fn wisp_sqlite_slots() -> *mut usize;
}

macro_rules! functions {
    ($($name:ident),+ $(,)?) => {
        /// Writes the functions into their slots.
        pub(crate) fn fill() {
            let mut slot = 0;
            // SAFETY: there is a slot for each.
            let slots = unsafe { wisp_sqlite_slots() };
            $(
                // SAFETY: as above.
                unsafe { slots.add(slot).write($name as *const () as usize) };
                slot += 1;
            )+
            let _ = slot;
        }
    };
}

functions! {
    sqlite3_aggregate_context,
    sqlite3_backup_finish,
    sqlite3_backup_init,
    sqlite3_backup_pagecount,
    sqlite3_backup_remaining,
    sqlite3_backup_step,
    sqlite3_bind_blob,
    sqlite3_bind_double,
    sqlite3_bind_int64,
    sqlite3_bind_null,
    sqlite3_bind_parameter_count,
    sqlite3_bind_parameter_name,
    sqlite3_bind_text,
    sqlite3_blob_bytes,
    sqlite3_blob_close,
    sqlite3_blob_open,
    sqlite3_blob_read,
    sqlite3_blob_write,
    sqlite3_busy_timeout,
    sqlite3_changes,
    sqlite3_close,
    sqlite3_close_v2,
    sqlite3_column_blob,
    sqlite3_column_bytes,
    sqlite3_column_count,
    sqlite3_column_decltype,
    sqlite3_column_double,
    sqlite3_column_int64,
    sqlite3_column_name,
    sqlite3_column_text,
    sqlite3_column_type,
    sqlite3_complete,
    sqlite3_context_db_handle,
    sqlite3_create_collation_v2,
    sqlite3_create_function_v2,
    sqlite3_create_window_function,
    sqlite3_data_count,
    sqlite3_db_config,
    sqlite3_db_handle,
    sqlite3_deserialize,
    sqlite3_errcode,
    sqlite3_errmsg,
    sqlite3_errstr,
    sqlite3_exec,
    sqlite3_expanded_sql,
    sqlite3_extended_errcode,
    sqlite3_finalize,
    sqlite3_free,
    sqlite3_get_autocommit,
    sqlite3_initialize,
    sqlite3_interrupt,
    sqlite3_last_insert_rowid,
    sqlite3_libversion,
    sqlite3_libversion_number,
    sqlite3_limit,
    sqlite3_malloc64,
    sqlite3_open_v2,
    sqlite3_prepare_v2,
    sqlite3_progress_handler,
    sqlite3_reset,
    sqlite3_result_blob,
    sqlite3_result_double,
    sqlite3_result_error,
    sqlite3_result_error_nomem,
    sqlite3_result_error_toobig,
    sqlite3_result_int64,
    sqlite3_result_null,
    sqlite3_result_text,
    sqlite3_serialize,
    sqlite3_set_authorizer,
    sqlite3_shutdown,
    sqlite3_sleep,
    sqlite3_step,
    sqlite3_stmt_busy,
    sqlite3_stmt_readonly,
    sqlite3_stricmp,
    sqlite3_threadsafe,
    sqlite3_total_changes,
    sqlite3_trace_v2,
    sqlite3_user_data,
    sqlite3_value_blob,
    sqlite3_value_bytes,
    sqlite3_value_double,
    sqlite3_value_int64,
    sqlite3_value_text,
    sqlite3_value_type,
}
