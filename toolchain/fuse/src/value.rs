//! Constant expressions, evaluated.

use wasm_encoder::{HeapType, Instruction};
use wasmparser::{ConstExpr, Operator, RefType, ValType};

use crate::Error;

/// The value of a global before any code has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    I32(i32),
    I64(i64),
    /// Bits of a float: NaNs keep theirs.
    F32(u32),
    F64(u64),
    V128(i128),
    Null(RefType),
    /// A function of the linked index space.
    Func(u32),
}

impl Value {
    /// Evaluates an expression; `global` and `func` map the indices of its module.
    pub(crate) fn of(
        expression: &ConstExpr<'_>,
        global: impl Fn(u32) -> Result<Self, Error>,
        func: impl Fn(u32) -> Result<u32, Error>,
    ) -> Result<Self, Error> {
        let mut stack = Vec::new();
        let mut operators = expression.get_operators_reader();
        let short = || Error::broken("a constant expression has too few operands");
        while !operators.eof() {
            let value = match operators.read()? {
                Operator::I32Const { value } => Self::I32(value),
                Operator::I64Const { value } => Self::I64(value),
                Operator::F32Const { value } => Self::F32(value.bits()),
                Operator::F64Const { value } => Self::F64(value.bits()),
                Operator::V128Const { value } => Self::V128(value.i128()),
                Operator::RefNull { hty: wasmparser::HeapType::FUNC } => Self::Null(RefType::FUNCREF),
                Operator::RefNull { hty: wasmparser::HeapType::EXTERN } => Self::Null(RefType::EXTERNREF),
                Operator::RefFunc { function_index } => Self::Func(func(function_index)?),
                Operator::GlobalGet { global_index } => global(global_index)?,
                operator @ (Operator::I32Add
                | Operator::I32Sub
                | Operator::I32Mul
                | Operator::I64Add
                | Operator::I64Sub
                | Operator::I64Mul) => {
                    let (right, left) = (stack.pop().ok_or_else(short)?, stack.pop().ok_or_else(short)?);
                    match (&operator, left, right) {
                        (Operator::I32Add, Self::I32(left), Self::I32(right)) => Self::I32(left.wrapping_add(right)),
                        (Operator::I32Sub, Self::I32(left), Self::I32(right)) => Self::I32(left.wrapping_sub(right)),
                        (Operator::I32Mul, Self::I32(left), Self::I32(right)) => Self::I32(left.wrapping_mul(right)),
                        (Operator::I64Add, Self::I64(left), Self::I64(right)) => Self::I64(left.wrapping_add(right)),
                        (Operator::I64Sub, Self::I64(left), Self::I64(right)) => Self::I64(left.wrapping_sub(right)),
                        (Operator::I64Mul, Self::I64(left), Self::I64(right)) => Self::I64(left.wrapping_mul(right)),
                        _ => return Err(Error::broken("a constant expression mixes types")),
                    }
                }
                Operator::End => continue,
                operator => {
                    return Err(Error::new(
                        format!("an initialiser uses `{operator:?}`"),
                        "only numbers, functions, other globals and sums of them are evaluated",
                        "build the guest for plain WebAssembly 2.0",
                    ));
                }
            };
            stack.push(value);
        }
        match stack.as_slice() {
            [value] => Ok(*value),
            _ => Err(Error::broken("a constant expression does not give one value")),
        }
    }

    /// An address or a table index.
    pub(crate) fn offset(self) -> Result<u32, Error> {
        match self {
            Self::I32(value) => Ok(value as u32),
            _ => {
                Err(Error::new("a segment has a 64-bit offset", "64-bit memories and tables are not merged", "build the guest for wasm32"))
            }
        }
    }

    /// The instruction that makes it; `func` maps to the merged index space.
    pub(crate) fn instruction(self, func: impl Fn(u32) -> Result<u32, Error>) -> Result<Instruction<'static>, Error> {
        Ok(match self {
            Self::I32(value) => Instruction::I32Const(value),
            Self::I64(value) => Instruction::I64Const(value),
            Self::F32(bits) => Instruction::F32Const(wasm_encoder::Ieee32::new(bits)),
            Self::F64(bits) => Instruction::F64Const(wasm_encoder::Ieee64::new(bits)),
            Self::V128(value) => Instruction::V128Const(value),
            Self::Null(RefType::EXTERNREF) => Instruction::RefNull(HeapType::EXTERN),
            Self::Null(_) => Instruction::RefNull(HeapType::FUNC),
            Self::Func(index) => Instruction::RefFunc(func(index)?),
        })
    }

    /// Its bytes in memory, if it can lie there.
    pub(crate) fn bytes(self) -> Option<Vec<u8>> {
        match self {
            Self::I32(value) => Some(value.to_le_bytes().to_vec()),
            Self::I64(value) => Some(value.to_le_bytes().to_vec()),
            Self::F32(bits) => Some(bits.to_le_bytes().to_vec()),
            Self::F64(bits) => Some(bits.to_le_bytes().to_vec()),
            Self::V128(value) => Some(value.to_le_bytes().to_vec()),
            Self::Null(_) | Self::Func(_) => None,
        }
    }
}

/// How reports write a type.
pub(crate) fn type_name(ty: ValType) -> String {
    ty.to_string()
}
