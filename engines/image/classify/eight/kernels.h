// All kernels, in the order in which they need each other.
#include "values.h"
#include "product.h"
#include "convolution.h"
#include "block.h"
