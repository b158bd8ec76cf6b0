; Hand-written kernels for the package and runtime tests: 64 work-items per group (4 warps of 16 lanes).
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64"
target triple = "spir64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z14get_num_groupsj(i32)

; out[i] = scale * x[i] + y[i] for i < n
define spir_kernel void @scaled_add(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out, i32 %n, float %scale) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i32 = trunc i64 %i to i32
  %in = icmp slt i32 %i32, %n
  br i1 %in, label %body, label %done
body:
  %xp = getelementptr float, ptr addrspace(1) %x, i64 %i
  %yp = getelementptr float, ptr addrspace(1) %y, i64 %i
  %op = getelementptr float, ptr addrspace(1) %out, i64 %i
  %a = load float, ptr addrspace(1) %xp, align 4
  %b = load float, ptr addrspace(1) %yp, align 4
  %m = fmul float %a, %scale
  %s = fadd float %m, %b
  store float %s, ptr addrspace(1) %op, align 4
  br label %done
done:
  ret void
}

; out[group] = the three group ids and counts, six i64 each; flat group number is x + nx * (y + ny * z)
define spir_kernel void @group_ids(ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %x = call spir_func i64 @_Z12get_group_idj(i32 0)
  %y = call spir_func i64 @_Z12get_group_idj(i32 1)
  %z = call spir_func i64 @_Z12get_group_idj(i32 2)
  %nx = call spir_func i64 @_Z14get_num_groupsj(i32 0)
  %ny = call spir_func i64 @_Z14get_num_groupsj(i32 1)
  %nz = call spir_func i64 @_Z14get_num_groupsj(i32 2)
  %zy = mul i64 %z, %ny
  %zyy = add i64 %zy, %y
  %yx = mul i64 %zyy, %nx
  %flat = add i64 %yx, %x
  %at = mul i64 %flat, 6
  %p0 = getelementptr i64, ptr addrspace(1) %out, i64 %at
  store i64 %x, ptr addrspace(1) %p0, align 8
  %p1 = getelementptr i64, ptr addrspace(1) %p0, i64 1
  store i64 %y, ptr addrspace(1) %p1, align 8
  %p2 = getelementptr i64, ptr addrspace(1) %p0, i64 2
  store i64 %z, ptr addrspace(1) %p2, align 8
  %p3 = getelementptr i64, ptr addrspace(1) %p0, i64 3
  store i64 %nx, ptr addrspace(1) %p3, align 8
  %p4 = getelementptr i64, ptr addrspace(1) %p0, i64 4
  store i64 %ny, ptr addrspace(1) %p4, align 8
  %p5 = getelementptr i64, ptr addrspace(1) %p0, i64 5
  store i64 %nz, ptr addrspace(1) %p5, align 8
  ret void
}

; out[0..7] = the scalar arguments as they arrived, widened to 64 bits (sign-extended integers, raw float bits)
define spir_kernel void @scalars(ptr addrspace(1) %out, i8 %a, i16 %b, i32 %c, i64 %d, i16 %h, float %f, double %g) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %a64 = sext i8 %a to i64
  store i64 %a64, ptr addrspace(1) %out, align 8
  %p1 = getelementptr i64, ptr addrspace(1) %out, i64 1
  %b64 = sext i16 %b to i64
  store i64 %b64, ptr addrspace(1) %p1, align 8
  %p2 = getelementptr i64, ptr addrspace(1) %out, i64 2
  %c64 = sext i32 %c to i64
  store i64 %c64, ptr addrspace(1) %p2, align 8
  %p3 = getelementptr i64, ptr addrspace(1) %out, i64 3
  store i64 %d, ptr addrspace(1) %p3, align 8
  %p4 = getelementptr i64, ptr addrspace(1) %out, i64 4
  %h64 = zext i16 %h to i64
  store i64 %h64, ptr addrspace(1) %p4, align 8
  %p5 = getelementptr i64, ptr addrspace(1) %out, i64 5
  %fi = bitcast float %f to i32
  %f64 = zext i32 %fi to i64
  store i64 %f64, ptr addrspace(1) %p5, align 8
  %p6 = getelementptr i64, ptr addrspace(1) %out, i64 6
  %gi = bitcast double %g to i64
  store i64 %gi, ptr addrspace(1) %p6, align 8
  ret void
}

!0 = !{i32 16}
!1 = !{i32 64, i32 1, i32 1}
